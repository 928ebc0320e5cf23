/// The second implementation of kube-scheduler's rules: slow, obvious, and independent of the
/// engine. It works on the objects as they were written, keeps no counters between decisions and
/// shares no code with what it checks. Start at [Oracle].
@NullMarked
package io.berth.conformance.oracle;

import org.jspecify.annotations.NullMarked;
