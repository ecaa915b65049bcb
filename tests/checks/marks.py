"""Which tests show which obligation? Read from their source, so that nothing has to be imported or run.

`@requirement("SD-01", …)` counts on a test function, on a class (for all its tests), on a module (`pytestmark`), and in
`pytest.param(…, marks=requirement(…))` of a test's parameters.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

TestFunction = ast.FunctionDef | ast.AsyncFunctionDef


def shown_by_tests(root: Path) -> dict[str, list[str]]:
    """Requirement id → the tests that carry it, named as pytest names them, sorted."""
    shown: dict[str, set[str]] = defaultdict(set)
    for path in sorted((root / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text("utf-8"), filename=str(path))
        for test, ids in marked_tests(tree):
            for name in ids:
                shown[name].add(f"{path.relative_to(root).as_posix()}::{test}")
    return {name: sorted(tests) for name, tests in sorted(shown.items())}


def marked_tests(tree: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """Every test of a module with the ids it carries."""
    yield from _marked(tree.body, "", set())


def _marked(body: Iterable[ast.stmt], prefix: str, inherited: set[str]) -> Iterator[tuple[str, set[str]]]:
    own = inherited | _pytestmark(body)
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _marked(node.body, f"{prefix}{node.name}::", own | _on(node))
        elif isinstance(node, TestFunction) and node.name.startswith("test_"):
            yield f"{prefix}{node.name}", own | _on(node)


def _pytestmark(body: Iterable[ast.stmt]) -> set[str]:
    return {
        name
        for node in body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets)
        for name in _ids(node.value)
    }


def _on(node: TestFunction | ast.ClassDef) -> set[str]:
    return {name for decorator in node.decorator_list for name in _ids(decorator)}


def _ids(tree: ast.AST) -> Iterator[str]:
    """Ids of every `requirement(…)` in an expression, however deep: also inside parametrize."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and _last_name(node.func) == "requirement"):
            continue
        for argument in node.args:
            if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                raise ValueError(f"line {node.lineno}: an id is written out, so that the check can read it")
            yield argument.value


def _last_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
