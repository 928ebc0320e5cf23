package io.berth.cli;

import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import io.berth.engine.rule.Profiles;
import io.berth.engine.rule.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How pods are scheduled: a configuration, the file it came from, and what in it changes nothing.
///
/// @param file `null` when the defaults are used
/// @param notes one line for each field that is valid but has no effect
/// @param flags what the command line says in addition
/// @param rules what there is beside Kubernetes' own rules
/// @param source the file's content, `null` when the defaults are used
/// @param journal the folder in which decisions are recorded, `null` for none
public record SchedulerSettings(
    SchedulerConfiguration configuration,
    @Nullable Path file,
    List<String> notes,
    UnaryOperator<SchedulerConfiguration> flags,
    RuleCatalog rules,
    @Nullable Tree source,
    @Nullable Path journal) {

  public static final SchedulerSettings DEFAULT = of(null, UnaryOperator.identity());

  public static SchedulerSettings of(
      @Nullable Path file, UnaryOperator<SchedulerConfiguration> flags) {
    return of(file, flags, RuleCatalog.NONE);
  }

  /// Reads the file; what is wrong with it is a [UserError] with its name.
  public static SchedulerSettings of(
      @Nullable Path file, UnaryOperator<SchedulerConfiguration> flags, RuleCatalog rules) {
    if (file == null) {
      var configuration = flags.apply(SchedulerConfiguration.DEFAULT);
      return new SchedulerSettings(
          configuration, null, unused(rules, configuration), flags, rules, null, null);
    }
    try {
      var tree = Yaml.read(Files.readString(file));
      var configuration = flags.apply(SchedulerConfigurationReader.read(tree));
      Profiles.check(configuration, rules);
      var notes = new ArrayList<>(SchedulerConfigurationReader.withoutEffect(tree));
      notes.addAll(unused(rules, configuration));
      return new SchedulerSettings(configuration, file, notes, flags, rules, tree, null);
    } catch (NoSuchFileException e) {
      throw UserError.usage(file + ": no such file");
    } catch (IOException e) {
      throw UserError.usage("%s: cannot be read: %s".formatted(file, e.getMessage()));
    } catch (SyntaxException | IllegalArgumentException e) {
      throw UserError.usage("%s: %s".formatted(file, e.getMessage()));
    }
  }

  /// The same file as it is now, under the same flags and rules.
  public SchedulerSettings again() {
    return of(file, flags, rules).recordedIn(journal);
  }

  public SchedulerSettings recordedIn(@Nullable Path folder) {
    return new SchedulerSettings(configuration, file, notes, flags, rules, source, folder);
  }

  private static List<String> unused(RuleCatalog rules, SchedulerConfiguration configuration) {
    return rules.unused(configuration.profiles()).stream()
        .map(name -> "rule %s is enabled by no profile".formatted(name))
        .toList();
  }
}
