"""The Chromium of this machine, and how the tests start it."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is installed is taken: the shell draws no window around its pages, which saves a fifth of the processor time."""
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
LEFT_OUT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying",
)  # fmt: skip
"""Features that Playwright leaves out of Chromium. Of several lists of features Chromium heeds the last, so ours repeats it."""
COMPILE_ONCE = f"--disable-features={','.join(('ScriptStreaming', *LEFT_OUT))}"
"""Scripts are compiled when they run, and kept: as they come in, each page would compile them anew. Then a page with a
chart takes a sixth to a half less processor time: a new tab the former, the same tab the latter."""
