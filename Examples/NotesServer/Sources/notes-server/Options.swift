import FlyingFox
import FlyingSocks
import Foundation

/// The arguments of the program.
struct Options {
  /// Wrong usage.
  struct Failure: Error {
    let message: String
  }

  var file = URL(fileURLWithPath: "notes.json")
  var host = "127.0.0.1"
  var port: UInt16 = 8080
  var wantsHelp = false

  static let help = """
    notes-server [FILE] [--port PORT] [--host ADDRESS]

    Serves a notebook on a web page. Open the address that it prints. The part after
    the # is a token: only pages that were opened with it can read or change notes.

    FILE    a notebook in any format. If it does not exist, it is made, with a few
            notes as a sample. Default: notes.json
    --port  the port; 0 takes any free one. Default: 8080
    --host  the IPv4 address of an interface. Default: 127.0.0.1, which only
            programs on this computer can reach. There is no encryption: do not
            use another address in a network that you do not trust.
    --help  prints this text

    Ctrl-C saves the notebook and ends the program.
    """

  init(_ arguments: some Sequence<String>) throws {
    var arguments = Array(arguments)[...]
    var files: [String] = []
    func value(of option: String) throws -> String {
      guard let value = arguments.popFirst() else { throw Failure(message: "\(option) needs a value") }
      return value
    }
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--port":
        let text = try value(of: argument)
        guard let number = UInt16(text) else { throw Failure(message: "--port must be 0 to 65535, not \(text)") }
        port = number
      case "--host": host = try value(of: argument)
      case "--": files += arguments.drain()
      case _ where argument.hasPrefix("-"): throw Failure(message: "there is no option \(argument)")
      default: files.append(argument)
      }
    }
    if files.count > 1 { throw Failure(message: "there is one FILE, not \(files.count)") }
    if let path = files.first { file = URL(fileURLWithPath: path) }
    _ = try address
  }

  /// The address to listen at.
  var address: sockaddr_in {
    get throws {
      do {
        return try sockaddr_in.inet(ip4: host == "localhost" ? "127.0.0.1" : host, port: port)
      } catch {
        throw Failure(message: "--host must be an IPv4 address such as 127.0.0.1, not \(host)")
      }
    }
  }

  /// The reason why the server cannot listen, with a way out.
  func explained(_ error: any Error) -> any Error {
    guard case SocketError.failed(_, let number, let message) = error else { return error }
    let advice = number == EADDRINUSE ? "; another program uses the port: choose one with --port" : ""
    return Failure(message: "cannot listen at \(host):\(port): \(message)\(advice)")
  }
}

extension ArraySlice {
  /// Removes and returns all elements.
  fileprivate mutating func drain() -> Self {
    defer { removeAll() }
    return self
  }
}
