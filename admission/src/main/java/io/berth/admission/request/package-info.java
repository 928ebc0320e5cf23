/// A request as policies and webhooks see it: whether it is theirs, in which version, and in which
/// words.
///
/// Start at [Matcher]; what it finds is a [Seen].
@NullMarked
package io.berth.admission.request;

import org.jspecify.annotations.NullMarked;
