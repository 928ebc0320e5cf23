/// Scheduler extenders over HTTP, as Kubernetes calls them.
///
/// [HttpExtender] is the conversation, [ExtenderTls] whom it trusts.
@NullMarked
package io.berth.scheduler.extender;

import org.jspecify.annotations.NullMarked;
