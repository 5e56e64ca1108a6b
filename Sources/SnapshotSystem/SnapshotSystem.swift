// The C library of the platform. It is a module of its own, so each file has one line for it, and programs do not see
// it. `Differences` has what the libraries do not have in common. See decision 0066.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
