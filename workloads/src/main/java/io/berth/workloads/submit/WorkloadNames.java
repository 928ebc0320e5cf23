package io.berth.workloads.submit;

import io.berth.workloads.http.Refusal;
import java.util.regex.Pattern;

/// What a workload may be called: its pods and their labels carry the name.
public final class WorkloadNames {

  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");

  private WorkloadNames() {}

  public static void check(String name) {
    if (!NAME.matcher(name).matches()) {
      throw Refusal.badRequest(
          "Bad request - name: \"%s\" must be 1 to 63 lower-case letters, digits and hyphens, begin with a letter, and end with a letter or digit"
              .formatted(name));
    }
  }
}
