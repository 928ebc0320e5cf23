/// Tests of certificates for pods.
@NullMarked
package io.berth.kinds.certificates;

import org.jspecify.annotations.NullMarked;
