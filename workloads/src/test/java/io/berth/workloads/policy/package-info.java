/// Tests of policies.
@NullMarked
package io.berth.workloads.policy;

import org.jspecify.annotations.NullMarked;
