import MPaaSCommands

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

exit(await Program.main(Array(CommandLine.arguments.dropFirst())))
