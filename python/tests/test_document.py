"""The daemon's description of itself, against what the daemon does."""

import unittest

from support import DENIED, DaemonCase
from stage import Client

# Any method may be answered with these, which the description does not repeat.
COMMON = {"invalidRequest", "invalidParams", "internalError", "limitExceeded", "shuttingDown"}


class DocumentTests(DaemonCase):
    def test_each_example_is_answered_with_a_result_or_with_a_described_error(self):
        errors = self.call_examples()
        self.assertNotIn("denied", errors.values())
        self.assertEqual(errors["region.remove"], "notFound")
        self.assertEqual(errors["agent.register"], "restricted")

    def call_examples(self):
        """Calls each method's example on a connection of its own; returns the names of the errors."""
        client = Client(self.path)
        self.addCleanup(client.end)
        document = client.call("rpc.discover")["result"]
        names = {error["code"]: error["message"] for error in document["components"]["errors"].values()}
        found = {}
        for method in document["methods"]:
            self.assertEqual(len(method["examples"]), 1, method["name"])
            params = {one["name"]: one["value"] for one in method["examples"][0]["params"]}
            caller = Client(self.path)
            self.addCleanup(caller.end)
            answer = caller.call(method["name"], params)
            if "error" in answer:
                found[method["name"]] = name = names[answer["error"]["code"]]
                described = {error["message"] for error in method.get("errors", [])}
                self.assertIn(name, described | COMMON, f"{method['name']}: {answer}")
        return found


class DeniedDocumentTests(DocumentTests):
    authorization = DENIED

    def test_each_example_is_answered_with_a_result_or_with_a_described_error(self):
        errors = self.call_examples()
        restricted = {method for method, name in errors.items() if name == "restricted"}
        self.assertLessEqual(
            {"position.get", "position.last", "position.subscribe", "heading.get", "heading.subscribe", "sky.get",
             "sky.subscribe", "visit.subscribe", "region.add", "region.state", "durable.attach"}, restricted)


if __name__ == "__main__":
    unittest.main()
