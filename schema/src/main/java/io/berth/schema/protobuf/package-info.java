/// Kubernetes' protobuf, driven by the type table: [ProtobufDecoder] reads request bodies,
/// [ProtobufEncoder] writes answers, [AnswerReader] reads those of another server. There is no
/// generated code and no protobuf library.
@NullMarked
package io.berth.schema.protobuf;

import org.jspecify.annotations.NullMarked;
