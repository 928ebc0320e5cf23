package io.berth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The arrows between modules and to libraries are the ones that [Modules] allows.
class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.berth");

  /// Where requests come in, and where the answer to HEAD loses its body.
  private static final Set<String> MAY_ASK_FOR_THE_METHOD =
      Set.of(
          "io.berth.server.Pipeline",
          "io.berth.server.http.Exchange",
          "io.berth.server.http.Outgoing",
          "io.berth.app.WorkloadLayer",
          "io.berth.console.Loopback");

  @Test
  void modulesKnowOnlyWhomTheyMay() {
    var forbidden = new TreeSet<String>();
    for (var from : CLASSES) {
      var module = Modules.of(from.getPackageName());
      if (!module.equals("app")) {
        assertThat(Modules.MAY_USE).as("modules that Modules lists").containsKey(module);
        var allowed = Modules.MAY_USE.getOrDefault(module, Set.of());
        from.getDirectDependenciesFromSelf()
            .forEach(dependency -> checkModule(module, allowed, dependency, forbidden));
      }
    }
    assertThat(forbidden).as("arrows that Modules does not allow").isEmpty();
  }

  @Test
  void modulesHaveNoCycles() {
    var settled = new TreeSet<String>();
    var open = new TreeSet<>(Modules.MAY_USE.keySet());
    while (open.removeIf(module -> settled.containsAll(Modules.MAY_USE.get(module)))) {
      for (var module : Modules.MAY_USE.keySet()) {
        if (!open.contains(module)) {
          settled.add(module);
        }
      }
    }
    assertThat(open).as("modules that know each other in a circle").isEmpty();
  }

  @Test
  void librariesStayInTheirModule() {
    var forbidden = new TreeSet<String>();
    for (var from : CLASSES) {
      var module = Modules.of(from.getPackageName());
      for (var dependency : from.getDirectDependenciesFromSelf()) {
        var target = dependency.getTargetClass().getBaseComponentType().getPackageName();
        Modules.LIBRARIES.forEach((library, modules) -> {
          if ((target.equals(library) || target.startsWith(library + "."))
              && !modules.contains(module)
              && !module.equals("app")) {
            forbidden.add("%s → %s".formatted(from.getName(), target));
          }
        });
      }
    }
    assertThat(forbidden).as("libraries outside their module").isEmpty();
  }

  // A module's root package is its face: it shows values that its sub-packages make, and calls
  // them.
  @Test
  void packagesBehindTheFaceOfAModuleHaveNoCycles() {
    SlicesRuleDefinition.slices()
        .matching("io.berth.(*).(*)..")
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }

  @Test
  void everyPackageIsDocumentedAndNullMarked() throws Exception {
    var folders = new HashSet<Path>();
    for (var file : Tree.javaFiles()) {
      if (file.toString().contains("/src/main/java/")) {
        folders.add(file.getParent());
      }
    }
    var complaints = new TreeSet<String>();
    for (var folder : folders) {
      var file = folder.resolve("package-info.java");
      var text = Files.exists(file) ? Files.readString(file) : "";
      if (!text.contains("@NullMarked") || !text.contains("///")) {
        complaints.add(
            Tree.root().relativize(folder)
                + ": needs a package-info.java with a doc comment and @NullMarked");
      }
    }
    assertThat(complaints).isEmpty();
  }

  /// What a request does is read from its method once, and then authorized and carried out.
  @Test
  void nobodyAsksForTheMethodOfARequestOnceItIsKnownWhatItDoes() {
    var again = new TreeSet<String>();
    for (var from : CLASSES) {
      for (var call : from.getMethodCallsFromSelf()) {
        if (call.getTarget().getName().equals("method")
            && call.getTargetOwner().getName().equals("io.berth.server.http.Call")
            && !MAY_ASK_FOR_THE_METHOD.contains(from.getName())) {
          again.add(call.getDescription());
        }
      }
    }
    assertThat(again).as("calls of Call.method()").isEmpty();
  }

  private static void checkModule(
      String module, Set<String> allowed, Dependency dependency, Set<String> forbidden) {
    JavaClass target = dependency.getTargetClass().getBaseComponentType();
    if (!target.getPackageName().startsWith("io.berth.")) {
      return;
    }
    var other = Modules.of(target.getPackageName());
    if (!other.equals(module) && !allowed.contains(other)) {
      forbidden.add(
          "%s may not use %s: %s → %s"
              .formatted(module, other, dependency.getOriginClass().getName(), target.getName()));
    }
  }
}
