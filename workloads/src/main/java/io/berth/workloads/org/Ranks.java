package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Routes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The order in which units of one level get what is over quota; also called priorities.
public final class Ranks {

  public static final String DEFAULT = "MediumLow";

  // "Normal" is what earlier versions call the default.
  private static final Map<String, Integer> VALUES = values();

  private Ranks() {}

  static String checked(String name) {
    if (!VALUES.containsKey(name)) {
      throw Refusal.badRequest(
          "Bad request - priority: \"%s\" is none of %s"
              .formatted(name, String.join(", ", VALUES.keySet())));
    }
    return name;
  }

  /// The rank an entry of a quota names; it once was called priority.
  static String of(Tree entry) {
    var name = entry.textOrEmpty("rank");
    return name.isEmpty() ? entry.textOrEmpty("priority") : name;
  }

  /// Higher goes first.
  public static int value(Tree entry) {
    return VALUES.getOrDefault(of(entry), VALUES.getOrDefault(DEFAULT, 0));
  }

  public static void addTo(Routes routes) {
    routes.get(
        "/api/v1/org-unit/priorities",
        "get_priorities",
        _ -> Answer.json(200, Tree.of("priorities", all())));
    routes.get("/api/v1/org-unit/ranks", "get_ranks", _ -> Answer.json(200, all()));
  }

  private static List<Object> all() {
    var all = new ArrayList<Object>();
    VALUES.forEach((name, value) -> {
      if (!name.equals("Normal")) {
        all.add(Tree.of("name", name, "value", value, "isDefault", name.equals(DEFAULT)));
      }
    });
    return all;
  }

  private static Map<String, Integer> values() {
    var values = new LinkedHashMap<String, Integer>();
    values.put("VeryLow", 25);
    values.put("Low", 40);
    values.put("MediumLow", 65);
    values.put("Medium", 80);
    values.put("MediumHigh", 90);
    values.put("High", 125);
    values.put("VeryHigh", 150);
    values.put("Normal", 65);
    return values;
  }
}
