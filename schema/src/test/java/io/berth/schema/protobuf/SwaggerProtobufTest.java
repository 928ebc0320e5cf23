package io.berth.schema.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.codec.Json;
import io.berth.schema.Types;
import io.berth.schema.openapi.Endpoint;
import io.berth.schema.openapi.OpenApi;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The protobuf form of the v2 document holds what its JSON form holds.
class SwaggerProtobufTest {

  @Test
  void bothFormsHoldTheSame() {
    var api = new OpenApi(Types.kubernetes(), "v1.37.1");
    var pods = new Endpoint(Resource.PODS, List.of("get", "list", "patch"), List.of(), null);
    api.serve(Map.of("v1", List.of(pods)));
    var json = Json.read(api.swaggerJson().bytes());

    Set<String> definitions = new HashSet<>();
    Set<String> paths = new HashSet<>();
    var swagger = "";
    var wire = new WireReader(api.swaggerProtobuf().bytes());
    while (wire.hasMore()) {
      switch (wire.field()) {
        case 1 -> swagger = wire.text();
        case 8 -> paths.addAll(names(wire.message(), 2));
        case 9 -> definitions.addAll(names(wire.message(), 1));
        default -> wire.skip();
      }
    }

    assertThat(swagger).isEqualTo("2.0");
    assertThat(definitions).isEqualTo(json.treeOrEmpty("definitions").names());
    assertThat(paths).isEqualTo(json.treeOrEmpty("paths").names());
  }

  private static Set<String> names(WireReader list, int element) {
    Set<String> names = new HashSet<>();
    while (list.hasMore()) {
      if (list.field() != element) {
        list.skip();
        continue;
      }
      var named = list.message();
      while (named.hasMore()) {
        if (named.field() == 1) {
          names.add(named.text());
        } else {
          named.skip();
        }
      }
    }
    return names;
  }
}
