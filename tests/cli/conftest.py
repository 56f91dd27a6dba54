import pytest


@pytest.fixture(autouse=True)
def _english(monkeypatch):
    """Messages in English, whatever the language of the tester's machine."""
    monkeypatch.setenv("LC_ALL", "C")
