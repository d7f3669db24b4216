"""The events of durable names, changes of permission, and prompts."""

from typing import Any, Dict, Optional, Type, Union

from ._coding import decode
from ._errors import PositiondError
from ._link import Link
from ._subscriptions import Subscription
from ._values import (
    AgentAuthorize, AuthorizationChanged, AuthorizationLevel, Durable, DurableOverflow, PositionUpdate, Precision,
    RegionEvent, VisitUpdate)

#: What the stream of a durable name delivers.
DurableEvent = Union[PositionUpdate, VisitUpdate, RegionEvent, DurableOverflow]


class Attachment(Subscription[DurableEvent]):
    """The events of a durable name, each once."""

    KINDS: Dict[str, Type[Any]] = {
        "position.update": PositionUpdate, "visit.update": VisitUpdate, "region.event": RegionEvent,
        "durable.overflow": DurableOverflow}

    def __init__(self, link: Link, name: str, since: Optional[int]) -> None:
        super().__init__(link)
        self.name, self.since = name, since
        self._newest = 0

    def subscribe(self) -> None:
        self.is_asked = True
        since = None if self._has_begun else self.since
        self.link.ask("durable.attach", {"name": self.name, "sinceEvent": since}, self._answered)

    def _answered(self, result: Any, error: Optional[PositiondError]) -> None:
        if error is not None:
            return self._reject(error)
        self.link.routes["durable", self.name] = self
        # Numbers only rise, unless the daemon has lost what it stored.
        if decode(Durable, result).last_event < self._newest:
            self._newest = 0
        self._begin()

    def deliver(self, method: str, params: Any) -> None:
        if method == "subscription.ended":
            return self.finish(reason=params["reason"])
        if method not in self.KINDS:
            return
        event = decode(self.KINDS[method], params)
        number = getattr(event, "event_id", None)
        if number is not None:
            if number <= self._newest:
                return
            self._newest = number
        self.put(event)


class Announcements(Subscription[AuthorizationChanged]):
    """Changes of what the client may know."""

    def subscribe(self) -> None:
        self.is_asked = True
        self._begin()

    def hears(self, method: str) -> bool:
        return method == "authorization.changed"

    def deliver(self, method: str, params: Any) -> None:
        self.put(decode(AuthorizationChanged, params))


class Prompt:
    """A question of the daemon: may this user's programs know the position?"""

    def __init__(self, link: Link, identifier: Any, request: AgentAuthorize) -> None:
        #: Who asks, and for what. Its `principal` has the kernel's facts, and the program's own name and purpose.
        self.request = request
        #: Whether nobody needs the answer any more: another agent has answered, or the time is over.
        self.withdrawn = False
        self._link, self._identifier = link, identifier

    def answer(
        self, allow: bool, *, level: Optional[AuthorizationLevel] = None, precision: Optional[Precision] = None,
        remember: bool = True
    ) -> None:
        """Returns the person's answer.

        Args:
            allow: Yes or no.
            level: The granted level, if it is less than requested.
            precision: The granted precision, if it is less than requested.
            remember: Whether the answer is stored; if not, it holds only for the connections that wait.
        """
        result = {"decision": "allow" if allow else "deny", "level": level, "precision": precision,
                  "remember": remember}
        self._reply({"result": {key: value for key, value in result.items() if value is not None}})

    def pass_on(self) -> None:
        """Leaves the question to the next agent."""
        self._reply({"error": {"code": -32800, "message": "this agent does not answer"}})

    def _reply(self, answer: Dict[str, Any]) -> None:
        if not self.withdrawn:
            self.withdrawn = True
            self._link.loop.call_soon_threadsafe(self._link.send, {"id": self._identifier, **answer})


class Prompts(Subscription[Prompt]):
    """Makes the client an agent."""

    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._open: Dict[Any, Prompt] = {}

    def subscribe(self) -> None:
        self.is_asked = True
        self.link.on_question = self._asked
        self.link.ask("agent.register", {}, self._answered)

    def _answered(self, result: Any, error: Optional[PositiondError]) -> None:
        if error is not None:
            return self._reject(error)
        self._begin()

    def _asked(self, identifier: Any, method: str, params: Any) -> None:
        prompt = self._open[identifier] = Prompt(self.link, identifier, decode(AgentAuthorize, params))
        self.put(prompt)

    def hears(self, method: str) -> bool:
        return method == "$/cancelRequest"

    def deliver(self, method: str, params: Any) -> None:
        self._withdraw(params.get("id"))

    def _withdraw(self, identifier: Any) -> None:
        prompt = self._open.pop(identifier, None)
        if prompt:
            prompt.withdrawn = True

    def lost(self) -> None:
        super().lost()
        for identifier in list(self._open):
            self._withdraw(identifier)

    def cancel(self) -> None:
        self.link.on_question = None
        for prompt in self._open.values():
            prompt.pass_on()
