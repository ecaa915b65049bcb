"""Can the recipes be trusted that cannot be cooked here? Linted, and compared with what is promised."""

import re
import subprocess
import sys
from pathlib import Path

from tests.checks.sources import ROOT
from tests.toolbox.requirement import requirement

PACKAGING = ROOT / "packaging"
DOCKERFILE = PACKAGING / "docker" / "Dockerfile"
TARGETS = ["base", "node", "bun", "python", "golang", "ruby", "rust", "php"]
STAGE = re.compile(r"^FROM (\S+) AS (\S+)$", re.MULTILINE)


def lint(program: str, *words: str) -> None:
    done = subprocess.run([str(Path(sys.executable).parent / program), *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@requirement("AU-20")
def test_the_dockerfile_has_every_target_and_no_flaw():
    lint("hadolint", str(DOCKERFILE))
    text = DOCKERFILE.read_text("utf-8")
    stages = {name: source for source, name in STAGE.findall(text)}
    assert [name for name in stages if name != "wheel"] == TARGETS
    assert all(stages[name] == "base" for name in TARGETS[1:])
    for stage in re.split(r"^FROM ", text, flags=re.MULTILINE)[2:]:
        users = re.findall(r"^USER (\S+)$", stage, re.MULTILINE)
        assert users[-1] == "1000"


@requirement("AU-20")
def test_every_image_that_is_built_upon_has_a_version():
    text = DOCKERFILE.read_text("utf-8")
    named = [source for source, _ in STAGE.findall(text) if source != "base"]
    named += re.findall(r"--from=(\S+[/:]\S+)", text)
    assert named
    assert all(re.search(r":\d+\.\d+", one) for one in named), named


@requirement("AU-20")
def test_the_scripts_have_no_flaw():
    lint("shellcheck", str(PACKAGING / "cloud-image" / "build.sh"), str(ROOT / "dev"))


@requirement("AU-20")
def test_the_cloud_image_is_named_and_checked_as_promised():
    text = (PACKAGING / "cloud-image" / "build.sh").read_text("utf-8")
    assert 'image="$output/daedal-$version-ubuntu-$release.img"' in text
    assert "sha256sum --check --strict" in text
    assert text.index("sha256sum --check") < text.index("virt-customize --add")
    for package in ("ca-certificates", "curl", "git", "openssh-server", "bubblewrap"):
        assert package in text
    assert "/usr/local/bin/daedal" in text
