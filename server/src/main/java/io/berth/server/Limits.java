package io.berth.server;

import java.time.Duration;

/// Every bound of the server in one place, and what happens there.
public final class Limits {

  /// Larger bodies are refused with 413.
  public static final int BODY_BYTES = 3 << 20;

  /// The same for bodies of those who are not known, where they may send any.
  public static final int STRANGE_BODY_BYTES = 16 << 10;

  /// Longer request lines and headers are refused with 431.
  public static final int HEADER_BYTES = 64 << 10;

  /// What a byte of a body may come to take in memory until the request is done.
  public static final int BODY_GROWTH = 12;

  /// What a byte of an object may come to take that is shown otherwise than it is stored.
  public static final int SHOWN_GROWTH = 12;

  /// As much of a body nobody wanted is read before the answer; with more, the connection closes.
  public static final int DISCARDED_BYTES = 256 << 10;

  /// A connection on which nothing moves is closed, whether it sends slowly or waits.
  public static final Duration IDLE = Duration.ofSeconds(90);

  /// A handshake, or the head of a request, that takes longer ends its connection.
  public static final Duration HEAD = Duration.ofSeconds(32);

  /// A body that takes longer ends its connection.
  public static final Duration BODY = Duration.ofSeconds(60);

  /// How often slow handshakes, heads and bodies are looked for.
  public static final Duration SWEEP = Duration.ofSeconds(4);

  /// More streams on one HTTP/2 connection wait in the client. Those that it took back count until
  /// they are done; a connection with more of both ends.
  public static final int STREAMS_PER_CONNECTION = 1000;

  /// Frames that ask for nothing, or take back what was asked for: so many at once, and then so
  /// many a second. More end the connection.
  public static final int FRAMES_AT_ONCE = 2000;

  public static final int FRAMES_PER_SECOND = 200;

  /// The same on a connection on which nobody is known yet.
  public static final int STRANGE_FRAMES_AT_ONCE = 100;

  public static final int STRANGE_FRAMES_PER_SECOND = 20;

  /// Connections on which nobody is known yet; one more ends the oldest of them.
  public static final int STRANGE_CONNECTIONS = 2000;

  /// Connections the operating system may hold ready.
  public static final int BACKLOG = 4096;

  /// Bodies at least this large are compressed when the client takes gzip.
  public static final int COMPRESS_BYTES = 128 << 10;

  /// About what a stream takes while it is open.
  public static final int STREAM_BYTES = 16 << 10;

  /// Changes under way to one watcher; more wait in the history that all watches share.
  public static final int WATCH_BACKLOG = 100;

  /// A piece of an answer that the client does not take in this time ends the answer.
  public static final Duration ANSWER_STALL = Duration.ofSeconds(60);

  /// A watcher that takes nothing for this long is cut off.
  public static final Duration WATCH_STALL = Duration.ofSeconds(60);

  /// A watch without `timeoutSeconds` ends after this much, or up to twice as much.
  public static final Duration WATCH = Duration.ofMinutes(30);

  /// How often a watcher that asked for bookmarks gets one.
  public static final Duration BOOKMARK = Duration.ofSeconds(60);

  /// How often the log of a container that is followed is looked at again.
  public static final Duration LOG_POLL = Duration.ofSeconds(1);

  /// How long a read waits for a revision from the future before it gives up with 504.
  public static final Duration FUTURE_REVISION = Duration.ofSeconds(3);

  /// Requests in flight per lane; one more is refused with 429. Lanes are apart, so that a flood in
  /// one leaves the others alone, and no owner gets more of a lane than it leaves to the others.
  public static final int READS = 400;

  public static final int WRITES = 200;
  public static final int HEARTBEATS = 200;

  /// Reads that wait for a revision from the future.
  public static final int WAITS = 1000;

  /// Watches and followed logs that are open at once; one more is refused with 429.
  public static final int WATCHES = 20_000;

  /// Other API servers that requests are passed on to; more are registered, and not asked.
  public static final int REMOTES = 100;

  /// Requests that wait for other API servers; one more is refused with 429.
  public static final int REMOTE_CALLS = 400;

  /// How long another API server has for an answer, or for the head of one that lasts; 504.
  public static final Duration REMOTE_ANSWER = Duration.ofSeconds(60);

  /// How long it has to say that it is there.
  public static final Duration REMOTE_CHECK = Duration.ofSeconds(5);

  /// How often one that answers is asked again whether it does.
  public static final Duration REMOTE_RECHECK = Duration.ofSeconds(30);

  /// Larger answers of other API servers are refused with 413.
  public static final int REMOTE_ANSWER_BYTES = 64 << 20;

  /// A larger event ends its watch.
  public static final int REMOTE_LINE_BYTES = 8 << 20;

  /// Larger documents about themselves are not read.
  public static final int REMOTE_DOCUMENT_BYTES = 16 << 20;

  /// How often an update is tried again when others change the object meanwhile.
  public static final int UPDATE_ATTEMPTS = 20;

  /// How long an update that lost waits for the others to try again one by one.
  public static final Duration TURN = Duration.ofSeconds(2);

  /// How often a new name is made up when the generated one is taken.
  public static final int NAME_ATTEMPTS = 8;

  /// The audit log goes on in a new file when it is this long; one older file is kept.
  public static final long AUDIT_BYTES = 100L << 20;

  /// The same for the log of callers who did not show who they are.
  public static final long STRANGERS_BYTES = 8L << 20;

  /// Requests of such callers that are logged: so many at once, and then so many a second. The
  /// others are counted.
  public static final int STRANGERS_AT_ONCE = 1000;

  public static final int STRANGERS_PER_SECOND = 10;

  private Limits() {}
}
