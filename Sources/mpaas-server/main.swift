import Dispatch
import MPaaSServer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

Task { exit(await ServerProgram.main(Array(CommandLine.arguments.dropFirst()))) }
dispatchMain()
