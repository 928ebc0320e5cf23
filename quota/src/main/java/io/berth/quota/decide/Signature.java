package io.berth.quota.decide;

import io.berth.api.PodSpec;
import io.berth.quota.GpuRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// What tells asks apart as far as finding room goes: where one finds none, an equal one need not
/// look.
///
/// Labels count only if some selector of the cluster looks at their key.
record Signature(String project, List<Part> parts) {

  record Part(
      String namespace, Map<String, String> labels, PodSpec spec, GpuRequest gpu, int pods) {}

  static Signature of(Ask ask, Pool pool, Predicate<String> selects) {
    var parts = new ArrayList<Part>();
    Part last = null;
    for (var slot : ask.slots()) {
      var part = part(slot, pool, selects);
      if (last != null && isSame(last, part)) {
        last = new Part(part.namespace, part.labels, part.spec, part.gpu, last.pods + 1);
        parts.set(parts.size() - 1, last);
      } else {
        last = part;
        parts.add(part);
      }
    }
    return new Signature(ask.job().gang.project(), parts);
  }

  private static Part part(Slot slot, Pool pool, Predicate<String> selects) {
    var labels = new HashMap<String, String>();
    slot.pod
        .labels()
        .forEach((key, value) -> {
          if (selects.test(key)) {
            labels.put(key, value);
          }
        });
    var spec = pool.templates.specInPool(slot.pod.spec());
    return new Part(slot.pod.namespace(), labels, spec, slot.set.gpu(), 1);
  }

  // The pool makes equal specs the same one.
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Part a, Part b) {
    return a.spec == b.spec
        && a.gpu.equals(b.gpu)
        && a.labels.equals(b.labels)
        && a.namespace.equals(b.namespace);
  }
}
