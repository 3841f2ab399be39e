"""The Bezique family's game records: the format, the rules, the replay and the validator."""

import os

FOLDERS_WITH_COMPILED_MODULES = ("records", "analyzer")


def changed_since_compiled(checkout: str) -> list[str]:
    """The sources of a checkout that are newer than what `make fast` compiled there, if it did.

    Python would go on with the compiled modules, whatever their sources say now. Sources that are not compiled
    count, too: their constants may be part of those that are.
    """
    if not os.path.isfile(os.path.join(checkout, "pyproject.toml")):
        return []  # an installed package: its times say nothing
    libraries = [name for name in os.listdir(checkout) if "__mypyc." in name]
    if not libraries:
        return []
    compiled = min(os.stat(os.path.join(checkout, name)).st_mtime for name in libraries)
    sources = [
        os.path.join(folder, name)
        for package in FOLDERS_WITH_COMPILED_MODULES
        for folder, _, files in os.walk(os.path.join(checkout, package))
        for name in files
        if name.endswith(".py")
    ]
    return sorted(source for source in sources if os.stat(source).st_mtime > compiled)


if changed := changed_since_compiled(os.path.dirname(os.path.dirname(__file__))):
    raise ImportError(
        f"{changed[0]} was changed after this checkout was compiled. "
        'Run "make fast" to compile it again, or "make pure" to go on without.'
    )
