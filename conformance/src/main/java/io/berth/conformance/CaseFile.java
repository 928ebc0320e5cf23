package io.berth.conformance;

import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/// Files of cases: JSON Lines, gzip when the name ends in `.gz`. Read line by line, so a file may
/// be larger than memory.
public final class CaseFile {

  private CaseFile() {}

  /// Hands every case of the file to `each`, in order.
  public static void read(Path file, Consumer<Case> each) throws IOException, FormatException {
    try (var in = Files.newInputStream(file)) {
      read(file.toString(), in, each);
    }
  }

  /// As [#read(Path, Consumer)], for a stream; `name` is for messages and tells whether it is gzip.
  public static void read(String name, InputStream in, Consumer<Case> each)
      throws IOException, FormatException {
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    int number = 0;
    try {
      var plain = name.endsWith(".gz") ? new GZIPInputStream(in, 1 << 16) : in;
      var lines = new BufferedReader(new InputStreamReader(plain, decoder), 1 << 16);
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          each.accept(parse(name, number, line));
        }
      }
    } catch (java.util.zip.ZipException | java.io.EOFException e) {
      throw new FormatException(name, number + 1, "not gzip data: " + e.getMessage());
    } catch (java.nio.charset.CharacterCodingException e) {
      throw new FormatException(name, number + 1, "not UTF-8");
    }
  }

  /// Writes one case as one line.
  public static void write(Case written, OutputStream out) throws IOException {
    out.write(Json.write(written.tree()));
    out.write('\n');
  }

  private static Case parse(String name, int number, String line) throws FormatException {
    try {
      return Case.of(Json.read(line), name + ":" + number);
    } catch (SyntaxException e) {
      throw new FormatException(
          name, number, "column %d: %s".formatted(e.column(), e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw new FormatException(name, number, String.valueOf(e.getMessage()));
    }
  }

  /// A line that is no case.
  public static final class FormatException extends Exception {

    private static final long serialVersionUID = 1;

    FormatException(String file, int line, String problem) {
      super("%s:%d: %s".formatted(file, line, problem));
    }
  }
}
