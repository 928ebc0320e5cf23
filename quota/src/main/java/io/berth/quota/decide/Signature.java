package io.berth.quota.decide;

import io.berth.engine.Engine;
import io.berth.quota.GpuRequest;
import io.berth.quota.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What tells asks apart as far as finding room goes: where one finds none, an equal one need not
/// look.
///
/// Labels count only if some selector of the cluster looks at their key. `occupied` are the nodes
/// of a gang that has to be close together: more of its pods go where those are.
record Signature(List<Part> parts, @Nullable Topology topology, List<String> occupied) {

  /// `spec` is the number the pool has given to it.
  record Part(String namespace, Map<String, String> labels, int spec, GpuRequest gpu, int pods) {}

  static Signature of(Ask ask, Pool pool, Engine engine) {
    var parts = new ArrayList<Part>();
    Part last = null;
    for (var slot : ask.slots()) {
      var part = part(slot, pool, engine);
      if (last != null && isSame(last, part)) {
        last = new Part(part.namespace, part.labels, part.spec, part.gpu, last.pods + 1);
        parts.set(parts.size() - 1, last);
      } else {
        last = part;
        parts.add(part);
      }
    }
    var topology = ask.job().gang.topology();
    return new Signature(parts, topology, topology == null ? List.of() : ask.job().nodes());
  }

  private static Part part(Slot slot, Pool pool, Engine engine) {
    var spec = pool.templates.specInPool(slot.pod.spec());
    int number = pool.templates.numberOf(spec);
    if (pool.templates.isAnybody(spec)) {
      return new Part("", Map.of(), number, slot.set.gpu(), 1);
    }
    var labels = new HashMap<String, String>();
    slot.pod
        .labels()
        .forEach((key, value) -> {
          if (engine.selects(key)) {
            labels.put(key, value);
          }
        });
    return new Part(slot.pod.namespace(), labels, number, slot.set.gpu(), 1);
  }

  private static boolean isSame(Part a, Part b) {
    return a.spec == b.spec
        && a.gpu.equals(b.gpu)
        && a.labels.equals(b.labels)
        && a.namespace.equals(b.namespace);
  }
}
