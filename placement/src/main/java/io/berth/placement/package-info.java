/// Placement tests: what shall hold of where pods run, tried on a cluster in virtual time.
///
/// `document` reads tests, `run` takes their steps on the cluster in `virtual`, `check` judges what
/// became of it.
@NullMarked
package io.berth.placement;

import org.jspecify.annotations.NullMarked;
