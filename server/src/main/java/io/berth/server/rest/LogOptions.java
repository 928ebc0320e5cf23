package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.server.ContainerLogs.Line;
import io.berth.server.request.Query;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which part of a log is wanted, and how it is shown; checked and worded as Kubernetes does.
///
/// `tailLines` and `limitBytes` below zero: all of it.
record LogOptions(
    String container,
    boolean follow,
    boolean previous,
    boolean timestamps,
    @Nullable Instant since,
    long tailLines,
    long limitBytes) {

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 9, 9, true)
          .appendLiteral('Z')
          .toFormatter(java.util.Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  static LogOptions of(Query query, String pod, Instant now) {
    var errors = new FieldErrors();
    long tail = number(query, "tailLines", 0, "must be greater than or equal to 0", errors);
    long bytes = number(query, "limitBytes", 1, "must be greater than 0", errors);
    long seconds = -1;
    if (query.has("sinceSeconds") && query.has("sinceTime")) {
      errors.add(
          new FieldError(
              FieldError.Type.FORBIDDEN,
              "[]",
              "Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified"));
    } else {
      seconds = number(query, "sinceSeconds", 1, "must be greater than 0", errors);
    }
    if (query.has("stream")) {
      errors.forbidden(FieldPath.of("stream"), "may not be specified");
    }
    if (!errors.isEmpty()) {
      throw errors.toException("", "PodLogOptions", pod);
    }
    return new LogOptions(
        query.text("container"),
        query.flag("follow"),
        query.flag("previous"),
        query.flag("timestamps"),
        seconds < 0 ? time(query.text("sinceTime")) : now.minusSeconds(seconds),
        tail,
        bytes);
  }

  private static long number(
      Query query, String name, long least, String refusal, FieldErrors errors) {
    var text = query.text(name);
    if (text.isEmpty()) {
      return -1;
    }
    try {
      long number = Long.parseLong(text);
      if (number < least) {
        errors.invalid(FieldPath.of(name), number, refusal);
      }
      return number;
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing %s: invalid syntax".formatted(FieldError.quoted(text)));
    }
  }

  private static @Nullable Instant time(String text) {
    try {
      return text.isEmpty() ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      throw ApiException.badRequest(
          "parsing time \"%s\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"%s\" as \"2006\""
              .formatted(text, text));
    }
  }

  /// The lines that are asked for: since a time, and of those the last ones.
  List<Line> chosen(List<Line> lines) {
    var from = since;
    var recent =
        from == null ? lines : lines.stream().filter(line -> !line.time().isBefore(from)).toList();
    int skipped = tailLines < 0 ? 0 : (int) Math.max(0, recent.size() - tailLines);
    return recent.subList(skipped, recent.size());
  }

  byte[] shown(List<Line> lines) {
    var text = new StringBuilder();
    for (var line : lines) {
      if (timestamps) {
        text.append(TIME.format(line.time())).append(' ');
      }
      text.append(line.text()).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
