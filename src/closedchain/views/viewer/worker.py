"""One thread that does what the browser asks for: of requests of one kind only the latest counts; none pile up."""

import contextvars
import threading
from collections.abc import Callable


class Worker:
    """Runs jobs one after the other; a waiting job gives way to a newer one with the same key.

    idle: called once whenever nothing is left to do after some job ran. failed: called with what a job raised.
    """

    def __init__(self, name: str, idle: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        self._idle, self._failed = idle, failed
        self._jobs: dict[str, Callable[[], None]] = {}
        self._changed = threading.Condition()
        self._busy, self._ended = False, False
        # A new thread starts without the language of the one that starts it.
        context = contextvars.copy_context()
        self._thread = threading.Thread(target=context.run, args=(self._run,), name=name, daemon=True)
        self._thread.start()

    def ask(self, key: str, job: Callable[[], None]) -> None:
        """Asks for a job; returns at once."""
        with self._changed:
            self._jobs.pop(key, None)
            self._jobs[key] = job
            self._changed.notify_all()

    def waits(self, key: str) -> bool:
        """Whether a job with this key waits, so that an older one may stop."""
        return key in self._jobs

    def settle(self, timeout: float = 60.0) -> bool:
        """Waits until nothing is left to do; whether that came about in time [s]."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ended or not (self._jobs or self._busy), timeout)

    def stop(self) -> None:
        """Ends the thread after the job at hand; what waits is dropped."""
        with self._changed:
            self._ended = True
            self._jobs.clear()
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=5.0)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._ended)
                if self._ended:
                    return
                job = self._jobs.pop(next(iter(self._jobs)))
                self._busy = True
            self._attempt(job)
            with self._changed:
                quiet = not self._jobs
            if quiet:
                self._attempt(self._idle)
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def _attempt(self, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:
            if not self._ended:  # what fails because all is being closed is nobody's concern
                self._failed(error)
