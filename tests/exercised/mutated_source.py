"""A module with one place of its source changed, for as long as a test looks: a test that still passes asks too little."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import _lru_cache_wrapper, cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from unittest.mock import patch

import pytest


@contextmanager
def mutated(module: ModuleType, old: str, new: str) -> Iterator[None]:
    """Within it every function of the module runs as if its source had `new` in place of `old`, which occurs once.

    What its cached functions have kept is forgotten before and after.
    """
    path = Path(str(module.__file__))
    if path.suffix != ".py":
        pytest.skip(f"{module.__name__} is compiled: its source has no say here")
    source = path.read_text(encoding="utf-8")
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {path.name}"
    changed = ModuleType(module.__name__)
    changed.__file__ = module.__file__
    with patch.dict(sys.modules, {module.__name__: changed}):
        exec(compile(source.replace(old, new), str(path), "exec"), changed.__dict__)
    with ExitStack() as stack:
        for value in vars(module).values():
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()
                stack.callback(value.cache_clear)
        for name, function in _functions(module, module.__name__).items():
            other = _functions(changed, module.__name__)[name]
            if function.__code__ != other.__code__:
                stack.callback(setattr, function, "__code__", function.__code__)
                function.__code__ = other.__code__
        yield


def _functions(module: ModuleType, name: str) -> dict[str, FunctionType]:
    """The functions that a module defines, also in its classes, by their qualified names."""
    found: dict[str, FunctionType] = {}
    owners = [module, *(v for v in vars(module).values() if isinstance(v, type))]
    for owner in owners:
        for value in vars(owner).values():
            function = _function_of(value)
            if function is not None and function.__module__ == name:
                found[function.__qualname__] = function
    return found


def _function_of(value: object) -> FunctionType | None:
    """A function as it was written, beneath what decorators made of it; None of anything else."""
    match value:
        case property(fget=FunctionType() as function):
            return function
        case cached_property(func=FunctionType() as function):
            return function
        case FunctionType() | _lru_cache_wrapper():
            return getattr(value, "__wrapped__", value)
    return None
