import FlyingFox
import Foundation

/// The files of the page. They are compiled into the program.
enum PageFile {
  private static let files: [String: (type: String, bytes: [UInt8])] = [
    "/": ("text/html", PackageResources.index_html),
    "/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
    "/layout.css": ("text/css", PackageResources.layout_css),
    "/look.css": ("text/css", PackageResources.look_css),
    "/app.js": ("text/javascript", PackageResources.app_js),
    "/conflict.js": ("text/javascript", PackageResources.conflict_js),
    "/connection.js": ("text/javascript", PackageResources.connection_js),
    "/editor.js": ("text/javascript", PackageResources.editor_js),
    "/element.js": ("text/javascript", PackageResources.element_js),
    "/file.js": ("text/javascript", PackageResources.file_js),
    "/keys.js": ("text/javascript", PackageResources.keys_js),
    "/timeline.js": ("text/javascript", PackageResources.timeline_js),
  ]

  /// The file at a path; nil if there is none.
  static func response(for path: String) -> HTTPResponse? {
    guard let file = files[path] else { return nil }
    let headers = HTTPHeaders.safe([.contentType: "\(file.type); charset=utf-8", .cacheControl: "no-cache"])
    return HTTPResponse(statusCode: .ok, headers: headers, body: Data(file.bytes))
  }
}
