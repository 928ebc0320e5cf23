/// What comes in and what goes out, without an HTTP library: [Request], [Answer], [Refusal].
@NullMarked
package io.berth.workloads.http;

import org.jspecify.annotations.NullMarked;
