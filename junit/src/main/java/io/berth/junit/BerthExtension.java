package io.berth.junit;

import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/// Makes clusters for [BerthCluster].
final class BerthExtension implements ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(BerthExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType().equals(TestCluster.class);
  }

  /// The store of a test closes what it holds when the test is over.
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent("cluster", _ -> cluster(context), TestCluster.class);
  }

  private static TestCluster cluster(ExtensionContext context) {
    var wanted = find(context);
    return wanted.isEmpty() || wanted.get().fleet().isEmpty()
        ? Berth.cluster()
        : Berth.cluster(wanted.get().fleet());
  }

  private static Optional<BerthCluster> find(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getTestMethod(), BerthCluster.class)
        .or(() -> AnnotationSupport.findAnnotation(context.getTestClass(), BerthCluster.class));
  }
}
