// The part of Foundation that the kernel needs: dates, ids, URLs and data. The rest of Foundation makes a statically
// linked program almost four times as large. It is a module of its own, so each file has one line for it, and programs
// do not see it. See decision 0047.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
