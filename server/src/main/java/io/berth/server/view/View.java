package io.berth.server.view;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.schema.Types;
import io.berth.schema.protobuf.ProtobufEncoder;
import io.berth.server.Limits;
import io.berth.server.http.Pieces;
import io.berth.server.registry.Page;
import io.berth.server.registry.Served;
import io.berth.server.request.Media;
import io.berth.store.Entry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns objects of one resource into the bytes that one client asked for.
///
/// The stored bytes are used as they are wherever the client wants the stored object as JSON.
public final class View {

  private static final ProtobufEncoder PROTOBUF = new ProtobufEncoder(Types.kubernetes());

  private static final byte[] BRACE = {'{'};
  private static final byte[] COMMA = {','};

  private final Served served;

  /// What of an object a row of a table may hold.
  private static final Set<String> INCLUDED = Set.of("", "Metadata", "Object", "None");

  private final Media media;
  private final Table table;

  public View(Served served, Media asked, String includeObject, Instant now) {
    this.served = served;
    this.media = withoutProtobuf(served, asked) ? asked.withEncoding(Media.Encoding.JSON) : asked;
    if (media.as() == Media.As.TABLE && !INCLUDED.contains(includeObject)) {
      throw ApiException.badRequest(
          "Unable to convert to Table as requested: includeObject: Invalid value: %s: must be 'Metadata', 'Object', 'None', or empty"
              .formatted(FieldError.quoted(includeObject)));
    }
    this.table = new Table(served, includeObject, media.version(), now);
  }

  /// Whole objects of built-in kinds have a binary form here, and metadata of any.
  private static boolean withoutProtobuf(Served served, Media asked) {
    return asked.encoding() == Media.Encoding.PROTOBUF
        && switch (asked.as()) {
          case OBJECT -> !PROTOBUF.knows(served.resource().apiVersion(), served.resource().kind());
          case PARTIAL, PARTIAL_LIST -> !asked.version().equals("v1");
          case TABLE -> true;
        };
  }

  public String contentType() {
    return media.encoding().type();
  }

  /// The type of a stream of events.
  public String streamType() {
    return media.encoding() == Media.Encoding.PROTOBUF
        ? media.encoding().type() + ";stream=watch"
        : "application/json";
  }

  /// One stored object.
  public byte[] object(Entry entry) {
    if (media.as() == Media.As.OBJECT
        && media.encoding() == Media.Encoding.JSON
        && served.isStorage()) {
      return entry.bytes();
    }
    var object = served.present(entry.object());
    return encode(transformed(object, subject(object, entry)));
  }

  /// What tables and metadata are made of: as in Kubernetes, the version that a client asks for
  /// changes neither, but for custom resources.
  private Tree subject(Tree object, Entry entry) {
    return served.isCustom() ? object : entry.object();
  }

  /// One object in the served version; a `Status` is never transformed.
  public byte[] object(Tree object) {
    if (object.textOrEmpty("kind").equals("Status")
        && object.textOrEmpty("apiVersion").equals("v1")) {
      return encode(object);
    }
    return encode(transformed(object, object));
  }

  private Tree transformed(Tree object, Tree subject) {
    return switch (media.as()) {
      case OBJECT -> object;
      case TABLE -> table.of(object, subject);
      case PARTIAL -> partial(subject);
      case PARTIAL_LIST ->
          throw notAcceptable(
              "you requested PartialObjectMetadataList, but the requested object is not a list (*%s)"
                  .formatted(goType("")));
    };
  }

  /// About how many bytes of memory it takes to make the list: none for what is sent as it is
  /// stored.
  public long cost(Page page) {
    boolean stored =
        media.as() == Media.As.OBJECT
            && (media.encoding() == Media.Encoding.PROTOBUF
                || media.encoding() == Media.Encoding.JSON)
            && served.isStorage();
    if (stored) {
      return 0;
    }
    long bytes = 0;
    for (var entry : page.entries()) {
      bytes += entry.bytes().length;
    }
    return bytes * Limits.SHOWN_GROWTH;
  }

  public Pieces list(Page page) {
    return switch (media.as()) {
      case OBJECT -> objects(page);
      case TABLE -> Pieces.of(encode(table.of(page)));
      case PARTIAL_LIST -> Pieces.of(encode(partials(page)));
      case PARTIAL ->
          throw notAcceptable(
              "you requested PartialObjectMetadata, but the requested object is a list (*%s)"
                  .formatted(goType("List")));
    };
  }

  /// Objects that are in no store, and so have no revision.
  public Pieces list(List<Tree> objects) {
    return Pieces.of(
        encode(
            switch (media.as()) {
              case OBJECT ->
                  items(
                      served.listKind(),
                      served.resource().apiVersion(),
                      objects.stream().map(View::item).toList());
              case TABLE -> table.of(objects);
              case PARTIAL_LIST ->
                  items(
                      "PartialObjectMetadataList",
                      "meta.k8s.io/" + media.version(),
                      objects.stream().map(this::partial).toList());
              case PARTIAL ->
                  throw notAcceptable(
                      "you requested PartialObjectMetadata, but the requested object is a list (*%s)"
                          .formatted(goType("List")));
            }));
  }

  private static Tree items(String kind, String apiVersion, List<Tree> items) {
    return Tree.of("kind", kind, "apiVersion", apiVersion, "metadata", new Tree(), "items", items);
  }

  private Pieces objects(Page page) {
    if (media.encoding() == Media.Encoding.PROTOBUF) {
      return messages(page);
    }
    if (media.encoding() != Media.Encoding.JSON || !served.isStorage()) {
      return Pieces.of(encode(listTree(page)));
    }
    var head = head();
    var list = new Pieces();
    list.add(
        "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":"
            .formatted(served.listKind(), served.resource().apiVersion())
            .getBytes(StandardCharsets.UTF_8));
    list.add(Json.write(objectsMeta(page)));
    list.add(",\"items\":[".getBytes(StandardCharsets.UTF_8));
    boolean first = true;
    for (var entry : page.entries()) {
      if (!first) {
        list.share(ByteBuffer.wrap(COMMA));
      }
      first = false;
      addItem(entry, head, list);
    }
    return list.add("]}\n".getBytes(StandardCharsets.UTF_8));
  }

  private Pieces messages(Page page) {
    var resource = served.resource();
    var items = new ArrayList<byte[]>(page.entries().size());
    for (var entry : page.entries()) {
      items.add(message(entry));
    }
    var list = new Pieces();
    PROTOBUF
        .list(resource.apiVersion(), resource.kind() + "List", listMeta(page), items)
        .forEach(list::add);
    return list;
  }

  /// The object as protobuf; encoded once for all lists and watches that show it as it is stored.
  private byte[] message(Entry entry) {
    var resource = served.resource();
    var type = Types.kubernetes().type(resource.apiVersion(), resource.kind());
    return served.isStorage()
        ? entry.bytes(object -> PROTOBUF.message(type, object))
        : PROTOBUF.message(type, served.present(entry.object()));
  }

  /// As in Kubernetes, items of built-in lists carry neither kind nor apiVersion.
  private void addItem(Entry entry, byte[] head, Pieces list) {
    var bytes = entry.bytes();
    if (served.isCustom()) {
      list.share(ByteBuffer.wrap(bytes));
    } else if (bytes.length > head.length
        && Arrays.equals(bytes, 0, head.length, head, 0, head.length)) {
      list.share(ByteBuffer.wrap(BRACE));
      list.share(ByteBuffer.wrap(bytes, head.length, bytes.length - head.length));
    } else {
      list.add(Json.write(item(entry.object())));
    }
  }

  private byte[] head() {
    return "{\"kind\":\"%s\",\"apiVersion\":\"%s\","
        .formatted(served.resource().kind(), served.resource().apiVersion())
        .getBytes(StandardCharsets.UTF_8);
  }

  private Tree listTree(Page page) {
    var items = new ArrayList<@Nullable Object>();
    for (var object : served.presentAll(page.entries())) {
      items.add(served.isCustom() ? object : item(object));
    }
    return Tree.of(
        "kind",
        served.listKind(),
        "apiVersion",
        served.resource().apiVersion(),
        "metadata",
        objectsMeta(page),
        "items",
        items);
  }

  private static Tree item(Tree object) {
    var item = new Tree();
    object
        .fields()
        .forEach((name, value) -> {
          if (!name.equals("kind") && !name.equals("apiVersion")) {
            item.put(name, value);
          }
        });
    return item;
  }

  /// As in Kubernetes, lists of custom resources always say whether they go on.
  private Tree objectsMeta(Page page) {
    var meta = listMeta(page);
    return served.isCustom() ? meta.putIfAbsent("continue", "") : meta;
  }

  static Tree listMeta(Page page) {
    var meta = Tree.of("resourceVersion", String.valueOf(page.revision()));
    if (page.continueToken() != null) {
      meta.put("continue", page.continueToken());
    }
    if (page.remaining() >= 0) {
      meta.put("remainingItemCount", page.remaining());
    }
    return meta;
  }

  private Tree partials(Page page) {
    var items = new ArrayList<@Nullable Object>();
    for (var object : served.isCustom() ? served.presentAll(page.entries()) : stored(page)) {
      items.add(partial(object));
    }
    return Tree.of(
        "kind",
        "PartialObjectMetadataList",
        "apiVersion",
        "meta.k8s.io/" + media.version(),
        "metadata",
        listMeta(page),
        "items",
        items.isEmpty() ? null : items);
  }

  static List<Tree> stored(Page page) {
    return page.entries().stream().map(Entry::object).toList();
  }

  private Tree partial(Tree subject) {
    return partial(served.kind().strategy().metadata(subject), media.version());
  }

  static Tree partial(Tree metadata, String version) {
    return Tree.of(
        "kind",
        "PartialObjectMetadata",
        "apiVersion",
        "meta.k8s.io/" + version,
        "metadata",
        metadata);
  }

  /// One event of a watch. `first` says that nothing was sent before: tables name their columns
  /// once.
  public byte[] event(String type, Entry entry, boolean first) {
    if (media.as() == Media.As.OBJECT
        && media.encoding() == Media.Encoding.JSON
        && served.isStorage()) {
      return event(type, entry.bytes());
    }
    if (media.encoding() == Media.Encoding.PROTOBUF) {
      return ProtobufEncoder.watchEvent(type, encoded(entry));
    }
    var object = served.present(entry.object());
    return event(type, object, subject(object, entry), first);
  }

  /// One event about an object in the served version.
  public byte[] event(String type, Tree object, boolean first) {
    if (media.encoding() == Media.Encoding.PROTOBUF) {
      return ProtobufEncoder.watchEvent(type, PROTOBUF.encode(watched(object)));
    }
    return event(type, object, object, first);
  }

  private byte[] event(String type, Tree object, Tree subject, boolean first) {
    return event(
        type,
        Json.write(
            switch (media.as()) {
              case TABLE -> table.event(object, subject, first);
              case OBJECT -> object;
              case PARTIAL, PARTIAL_LIST -> partial(subject);
            }));
  }

  /// The answer for one object of a watch as protobuf.
  private byte[] encoded(Entry entry) {
    if (media.as() != Media.As.OBJECT) {
      return PROTOBUF.encode(partial(subject(served.present(entry.object()), entry)));
    }
    var resource = served.resource();
    return ProtobufEncoder.envelope(resource.apiVersion(), resource.kind(), message(entry));
  }

  private Tree watched(Tree object) {
    return media.as() == Media.As.OBJECT ? object : partial(object);
  }

  /// A bookmark: nothing before this revision is missing.
  public byte[] bookmark(long revision, boolean endOfInitialEvents, boolean first) {
    var meta = Tree.of("resourceVersion", String.valueOf(revision));
    if (endOfInitialEvents) {
      meta.put("annotations", Tree.of("k8s.io/initial-events-end", "true"));
    }
    var object =
        Tree.of(
            "kind", served.resource().kind(),
            "apiVersion", served.resource().apiVersion(),
            "metadata", meta);
    if (media.encoding() == Media.Encoding.PROTOBUF) {
      return ProtobufEncoder.watchEvent("BOOKMARK", PROTOBUF.encode(watched(object)));
    }
    return event(
        "BOOKMARK",
        Json.write(
            media.as() == Media.As.TABLE ? table.event(object, object, first) : watched(object)));
  }

  public byte[] error(Tree status) {
    if (media.encoding() == Media.Encoding.PROTOBUF) {
      return ProtobufEncoder.watchEvent("ERROR", PROTOBUF.encode(status));
    }
    return event("ERROR", Json.write(status));
  }

  private static byte[] event(String type, byte[] object) {
    var head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8);
    var event = Arrays.copyOf(head, head.length + object.length + 1);
    System.arraycopy(object, 0, event, head.length, object.length);
    event[event.length - 1] = '}';
    return event;
  }

  private byte[] encode(Tree tree) {
    return switch (media.encoding()) {
      case JSON ->
          media.pretty() ? Json.pretty(tree).getBytes(StandardCharsets.UTF_8) : Json.write(tree);
      case YAML -> Yaml.write(tree).getBytes(StandardCharsets.UTF_8);
      case PROTOBUF -> PROTOBUF.encode(tree);
    };
  }

  /// The type as Kubernetes' own messages name it: `core.Pod`.
  private String goType(String suffix) {
    var group = served.resource().group();
    int dot = group.indexOf('.');
    var name = group.isEmpty() || group.equals("events.k8s.io") ? "core" : group;
    return (dot > 0 && !name.equals("core") ? group.substring(0, dot) : name)
        + "."
        + served.resource().kind()
        + suffix;
  }

  private static ApiException notAcceptable(String message) {
    return new ApiException(406, "NotAcceptable", message);
  }
}
