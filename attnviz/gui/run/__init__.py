"""From a spec to a trace on screen: controller, worker, mailbox."""
