/// Decides where pods go, and says why: events in, decisions out.
///
/// Start at [Engine]: it is told what happens in the cluster (`putNode`, `putPod`, …), answers
/// [Engine#decide(io.berth.api.Pod)] quickly and [Engine#examine(io.berth.api.Pod)] with everything
/// there is to know about a decision. It has no I/O, no threads, no clock and no randomness of its
/// own: same events in, same decisions out. One thread owns an engine.
@NullMarked
package io.berth.engine;

import org.jspecify.annotations.NullMarked;
