package io.berth.cli;

import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.FieldException;
import io.berth.codec.SchedulerConfigurationReader;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How pods are scheduled: a configuration, the file it came from, and what in it changes nothing.
///
/// @param file `null` when the defaults are used
/// @param notes one line for each field that is valid but has no effect
/// @param flags what the command line says in addition
/// @param source the file's content, `null` when the defaults are used
public record SchedulerSettings(
    SchedulerConfiguration configuration,
    @Nullable Path file,
    List<String> notes,
    UnaryOperator<SchedulerConfiguration> flags,
    @Nullable Tree source) {

  public static final SchedulerSettings DEFAULT = of(null, UnaryOperator.identity());

  /// Reads the file; what is wrong with it is a [UserError] with its name.
  public static SchedulerSettings of(
      @Nullable Path file, UnaryOperator<SchedulerConfiguration> flags) {
    if (file == null) {
      return new SchedulerSettings(
          flags.apply(SchedulerConfiguration.DEFAULT), null, List.of(), flags, null);
    }
    try {
      var tree = Yaml.read(Files.readString(file));
      var configuration = SchedulerConfigurationReader.read(tree);
      return new SchedulerSettings(
          flags.apply(configuration),
          file,
          SchedulerConfigurationReader.withoutEffect(tree),
          flags,
          tree);
    } catch (NoSuchFileException e) {
      throw UserError.usage(file + ": no such file");
    } catch (IOException e) {
      throw UserError.usage("%s: cannot be read: %s".formatted(file, e.getMessage()));
    } catch (SyntaxException | FieldException e) {
      throw UserError.usage("%s: %s".formatted(file, e.getMessage()));
    }
  }

  /// The same file as it is now, under the same flags.
  public SchedulerSettings again() {
    return of(file, flags);
  }
}
