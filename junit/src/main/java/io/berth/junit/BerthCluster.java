package io.berth.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Gives every test method that takes a [TestCluster] one of its own; it is closed afterwards.
///
/// ```java
/// @BerthCluster(fleet = "{count: 6, zones: [a, b, c]}")
/// class WebTest {
///   @Test
///   void survivesAZone(TestCluster cluster) { … }
/// }
/// ```
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BerthExtension.class)
public @interface BerthCluster {

  /// The nodes: the `spec` of a NodeFleet, in YAML; none if it is empty.
  String fleet() default "";
}
