"""Messages that are shown for some seconds."""

from .helpers import game, running, settle, until


async def test_those_that_are_over_leave_nothing_behind():
    async with running(game()) as pilot:
        screen = pilot.app.screen
        for _ in range(3):
            pilot.app.notify("said", timeout=600)
            await until(pilot, lambda: screen.query("Toast"))
            pilot.app.clear_notifications()  # over before its timer comes, as on a busy machine
            await until(pilot, lambda: not screen.query("Toast"))
        pilot.app.notify("the last", timeout=600)
        await until(pilot, lambda: screen.query("Toast"))
        await settle(pilot)
        assert len(screen.query("ToastHolder")) == 1
