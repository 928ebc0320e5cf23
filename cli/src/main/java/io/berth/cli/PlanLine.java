package io.berth.cli;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The steps of a command line, in the order given, brought into the form that files have.
final class PlanLine {

  private record Word(String label, String description, Function<String, Tree> step) {}

  private static final Map<String, Word> WORDS = new LinkedHashMap<>();

  static {
    WORDS.put("--apply", new Word("FILE", "Apply manifests.", PlanLine::apply));
    WORDS.put("--delete", new Word("KIND/NAME", "Delete an object.", PlanLine::delete));
    WORDS.put("--scale", new Word("KIND/NAME=N", "Scale an owner of pods.", PlanLine::scale));
    WORDS.put("--lose", nodes("lose", "Lose nodes, as 'berth zone|node fail' does."));
    WORDS.put("--drain", nodes("drain", "Drain nodes, within disruption budgets."));
    WORDS.put("--cordon", nodes("cordon", "Close nodes to new pods."));
    WORDS.put("--uncordon", nodes("uncordon", "Open nodes again."));
    WORDS.put(
        "--label", new Word("NODE:KEY=VALUE", "Label a node; NODE:KEY- removes.", PlanLine::label));
    WORDS.put(
        "--taint",
        new Word("NODE:KEY=VALUE:EFFECT", "Taint a node; a final '-' removes.", PlanLine::taint));
    WORDS.put(
        "--add-nodes", new Word("FILE", "Add nodes.", file -> Tree.of("addNodes", List.of(file))));
  }

  private PlanLine() {}

  private static Word nodes(String step, String description) {
    return new Word(
        "zone=Z|node=N|KEY=VALUE", description, text -> Tree.of(step, choice(step, text)));
  }

  static void addOptions(CommandSpec spec) {
    WORDS.forEach((name, word) ->
        spec.addOption(
            OptionSpec.builder(name)
                .paramLabel(word.label())
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .description(word.description())
                .build()));
  }

  /// `arguments` have been parsed before: every option has its value.
  static List<Tree> steps(List<String> arguments) {
    var steps = new ArrayList<Tree>();
    for (int i = 0; i < arguments.size(); i++) {
      int equals = arguments.get(i).indexOf('=');
      var name = equals < 0 ? arguments.get(i) : arguments.get(i).substring(0, equals);
      var word = WORDS.get(name);
      if (word != null) {
        steps.add(
            word.step()
                .apply(equals < 0 ? arguments.get(++i) : arguments.get(i).substring(equals + 1)));
      }
    }
    return steps;
  }

  private static Tree apply(String file) {
    return Tree.of("apply", List.of(file));
  }

  private static Tree delete(String text) {
    return Tree.of("delete", object("--delete", text, text, "KIND/NAME, such as deployment/web"));
  }

  private static Tree scale(String text) {
    var form = "KIND/NAME=N, such as deployment/web=5";
    int equals = text.lastIndexOf('=');
    try {
      var object = object("--scale", text.substring(0, Math.max(0, equals)), text, form);
      return Tree.of("scale", object.put("replicas", Long.parseLong(text.substring(equals + 1))));
    } catch (NumberFormatException e) {
      throw wrong("--scale", text, form);
    }
  }

  private static Tree object(String option, String name, String text, String form) {
    var parts = name.split("/", -1);
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw wrong(option, text, form);
    }
    return Tree.of("kind", parts[0], "name", parts[1]);
  }

  private static Tree choice(String step, String text) {
    int equals = text.indexOf('=');
    if (equals <= 0) {
      throw wrong("--" + step, text, "zone=Z, node=N or KEY=VALUE");
    }
    var key = text.substring(0, equals);
    var value = text.substring(equals + 1);
    return key.equals("zone") || key.equals("node")
        ? Tree.of(key, value)
        : Tree.of("labels", Tree.of(key, value));
  }

  private static Tree label(String text) {
    int colon = text.indexOf(':');
    int equals = text.indexOf('=', colon + 1);
    var label = Tree.of("node", text.substring(0, Math.max(0, colon)));
    if (colon > 0 && text.endsWith("-") && equals < 0) {
      label.put("remove", List.of(text.substring(colon + 1, text.length() - 1)));
    } else if (colon > 0 && equals > colon + 1) {
      label.put("set", Tree.of(text.substring(colon + 1, equals), text.substring(equals + 1)));
    } else {
      throw wrong("--label", text, "NODE:KEY=VALUE, or NODE:KEY- to remove");
    }
    return Tree.of("label", label);
  }

  private static Tree taint(String text) {
    boolean removes = text.endsWith("-");
    var parts = (removes ? text.substring(0, text.length() - 1) : text).split(":", -1);
    if (parts.length < 2 || parts.length > 3 || (!removes && parts.length != 3)) {
      throw wrong("--taint", text, "NODE:KEY=VALUE:EFFECT; a final '-' removes");
    }
    var taint = Tree.of("node", parts[0]);
    int equals = parts[1].indexOf('=');
    var key = equals < 0 ? parts[1] : parts[1].substring(0, equals);
    if (removes) {
      taint.put("remove", List.of(parts.length == 2 ? key : key + ":" + parts[2]));
    } else {
      var value = equals < 0 ? "" : parts[1].substring(equals + 1);
      taint.put("set", List.of(Tree.of("key", key, "value", value, "effect", parts[2])));
    }
    return Tree.of("taint", taint);
  }

  private static UserError wrong(String option, String text, String expected) {
    return UserError.usage("%s '%s': expected %s".formatted(option, text, expected));
  }
}
