"""What counts as proof, and for how long?"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.delivery.deliverables import Deliverable
from daedal.delivery.evidence import Claim, Ran, changed, missing
from daedal.delivery.proving import why_it_proves_nothing
from daedal.delivery.tree import Tree
from tests.toolbox.requirement import requirement


@requirement("DX-05")
@pytest.mark.parametrize(
    "command",
    [
        "pytest -q",
        "cd app && npm test",
        "python3 -m unittest 2>&1",
        "timeout 60 cargo test",
        "npm run build && node dist/index.js --check",
        "grep -q total report.txt",
        "python3 -c 'import app; assert app.add(1, 2) == 3'",
        "ls; pytest",
        "test -f out.txt",
    ],
)
def test_a_check_counts(command: str):
    assert why_it_proves_nothing(command) == ""


@requirement("DX-05")
@pytest.mark.parametrize(
    "command",
    [
        "",
        "true",
        ":",
        "echo ok",
        "ls -la",
        "git commit -m done",
        "true && echo ok",
        "pytest; true",
        "pytest || true",
        "pytest | tail -5",
        "pytest | tee log && echo ok",
        "pytest &",
        "timeout 5 true",
        "env A=1 echo ok",
        "python3 --version",
        "python3 -c pass",
        "python3 -c 'print(1)'",
        "/bin/true",
        "for i in 1 2; do pytest; done",
        "if pytest; then true; fi",
        "sleep 1",
    ],
)
def test_what_succeeds_in_any_case_does_not_count(command: str):
    assert why_it_proves_nothing(command)


@given(st.text(max_size=200))
def test_no_line_makes_it_fail(command: str):
    why_it_proves_nothing(command)


@requirement("DX-05")
@given(
    st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(-1, 6), st.sampled_from(["pytest a", "pytest b", "true"])), max_size=6),
    st.lists(st.tuples(st.sampled_from(["pytest a", "pytest b", "true"]), st.integers(0, 1), st.sampled_from("xy"))),
)
def test_nothing_is_proved_unless_every_criterion_has_a_fresh_success(criteria, claims, ran):
    one = Deliverable(id="A-001", description="d", acceptance_criteria=criteria)
    lacking = missing(
        one,
        [Claim(number, command) for number, command in claims],
        [Ran(command=command, exit_code=code, tree=tree) for command, code, tree in ran],
        "x",
    )
    latest = {command: (code, tree) for command, code, tree in ran}
    named = dict(claims)
    proved = [
        number
        for number in range(1, len(criteria) + 1)
        if named.get(number, "true") != "true" and latest.get(named[number]) == (0, "x")
    ]
    assert len(lacking) == len(criteria) - len(proved)


@requirement("DX-05")
def test_content_is_what_counts_and_by_products_do_not(tmp_path: Path):
    tree = Tree(str(tmp_path))
    (tmp_path / "a.py").write_text("1")
    first = tree.look()
    for by_product in ("__pycache__/a.pyc", ".git/index", ".daedal/status.json", "node_modules/x.js"):
        (tmp_path / by_product).parent.mkdir(exist_ok=True)
        (tmp_path / by_product).write_text("x")
    (tmp_path / ".daedal-note.md").write_text("x")
    (tmp_path / "a.py").touch()
    assert tree.look().digest == first.digest
    (tmp_path / "a.py").chmod(0o755)
    assert tree.look().digest != first.digest
    (tmp_path / "a.py").chmod(0o644)
    (tmp_path / "a.py").write_text("2")
    (tmp_path / "b").symlink_to("a.py")
    second = tree.look()
    assert changed(first.files, second.files).keys() == {"a.py", "b"}
    (tmp_path / "a.py").unlink()
    assert changed(second.files, tree.look().files) == {"a.py": ""}


def test_a_build_folder_is_left_out_only_where_git_ignores_it(tmp_path: Path):
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "x").write_text("1")
    assert Tree(str(tmp_path)).look().files.keys() == {"build/x"}
    (tmp_path / ".gitignore").write_text("build/\n*.py\nsrc/\n")
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "b").write_text("1")
    assert Tree(str(tmp_path)).look().files.keys() == {".gitignore", "a.py", "src/b"}
