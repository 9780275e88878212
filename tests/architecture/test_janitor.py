"""What is overdue for the janitor is what the queues have given up, here and on AWS."""

import json

from onec_rag_local.environment import FUNCTIONS, MAX_RECEIVE_COUNT, QUEUES, STUCK_MINUTES
from runtime.templates import functions, root, variables

STACK = root()


def test_nothing_counts_as_stuck_while_a_queue_may_still_bring_its_message() -> None:
    assert max(QUEUES.values()) * MAX_RECEIVE_COUNT == STUCK_MINUTES * 60
    queues = [own["Properties"] for stack in STACK.all() for own in stack.template["Resources"].values()
              if own["Type"] == "AWS::SQS::Queue" and "RedrivePolicy" in own["Properties"]]  # fmt: skip
    longest = max(own["VisibilityTimeout"] * own["RedrivePolicy"]["maxReceiveCount"] for own in queues)
    for name, (stack, properties) in functions(STACK).items():
        given = variables(stack, properties).get("ONEC_RAG_JANITOR_STUCK_MINUTES")
        assert (given is not None) == (name in ("JanitorFunction", "PlannerFunction"))
        assert given is None or int(given) * 60 == longest


def test_the_janitor_comes_every_quarter_of_an_hour_and_wakes_the_database_once_a_day() -> None:
    _, properties = functions(STACK)["JanitorFunction"]
    schedules = {event["Properties"]["ScheduleExpression"]: json.loads(event["Properties"]["Input"])
                 for event in properties["Events"].values()}  # fmt: skip
    assert schedules == {"rate(15 minutes)": {"job": "watch"}, "rate(1 day)": {"job": "tidy"}}
    assert FUNCTIONS["janitor"].queue is None
