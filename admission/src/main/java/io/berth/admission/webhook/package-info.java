/// Admission webhooks: which are set up, how they are called, and what their answers mean.
///
/// Start at [Review], one question to one webhook; [WebhookClient] carries it. The plugins
/// themselves stand beside the others.
@NullMarked
package io.berth.admission.webhook;

import org.jspecify.annotations.NullMarked;
