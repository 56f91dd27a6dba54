"""A browser without a window for the tests, wherever this machine has one."""

import functools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")


@functools.cache
def executable() -> str | None:
    """A Chromium of this machine, else the one that Playwright has brought; None without any."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A running browser, closed after the file's tests; they are skipped where there is none."""
    pytest.importorskip("playwright", reason="needs playwright, of the extra test")
    path = executable()
    if path is None:
        pytest.skip("needs a Chromium: install chromium, or run playwright install chromium")
    from playwright.sync_api import sync_playwright

    # A sandbox needs a user who is not root.
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    # Machines without a graphics card draw in software.
    flags += ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=flags)
        try:
            yield running
        finally:
            running.close()
