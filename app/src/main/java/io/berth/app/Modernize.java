package io.berth.app;

import io.berth.cli.Command;
import io.berth.cli.Terminal;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// `berth modernize JAR`, hidden: brings the classes of a jar to the version from which on an AOT
/// cache takes them.
///
/// A class of Java 5 is verified by inference, anew at every start, and cannot come from the cache.
/// Nothing changes but its version, and it gets the stack maps that newer classes have. The
/// packaging runs it on picocli.
final class Modernize implements Command {

  @Override
  public CommandSpec spec() {
    var spec = CommandSpec.create().name("modernize");
    spec.usageMessage().hidden(true).description("Bring the classes of a jar to Java 6.");
    return spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .paramLabel("JAR")
            .type(Path.class)
            .required(true)
            .build());
  }

  @Override
  public int run(ParseResult line, Terminal terminal) throws IOException {
    Path jar = line.matchedPositionals().getFirst().getValue();
    var modern = jar.resolveSibling(jar.getFileName() + ".new");
    rewrite(jar, modern);
    Files.move(modern, jar, StandardCopyOption.REPLACE_EXISTING);
    return 0;
  }

  private static void rewrite(Path from, Path to) throws IOException {
    try (var jar = new JarFile(from.toFile());
        var out = new JarOutputStream(Files.newOutputStream(to))) {
      for (var entry : jar.stream().toList()) {
        var bytes = jar.getInputStream(entry).readAllBytes();
        var copy = new JarEntry(entry.getName());
        copy.setTimeLocal(entry.getTimeLocal());
        out.putNextEntry(copy);
        out.write(isOld(entry.getName(), bytes) ? modern(bytes) : bytes);
        out.closeEntry();
      }
    }
  }

  private static boolean isOld(String name, byte[] bytes) {
    return name.endsWith(".class") && bytes[7] < ClassFile.JAVA_6_VERSION;
  }

  private static byte[] modern(byte[] bytes) {
    var classes = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
    var withMaps = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);
    return classes.transformClass(classes.parse(bytes), withVersion().andThen(withMaps));
  }

  private static ClassTransform withVersion() {
    return (builder, element) -> {
      if (element instanceof ClassFileVersion) {
        builder.withVersion(ClassFile.JAVA_6_VERSION, 0);
      } else {
        builder.with(element);
      }
    };
  }
}
