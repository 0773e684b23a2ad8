import TripStore

/// Reads GPX 1.0 and 1.1: waypoints, routes and tracks.
struct GPXReading {
    private var feature: MapFeature?
    private var text: [UInt8]?
    private var link = (address: "", title: "")

    /// Reads from behind the tag of the root.
    mutating func read(_ xml: inout XMLReader, into contents: inout MapContents) throws(TextFormatError) {
        while true {
            switch try xml.next() {
            case .finish: return
            case .text: text?.append(xml.text, atMost: 64 << 10)
            case .start(let name): begin(name, &xml, &contents)
            case .end(let name): try end(name, xml, &contents)
            }
        }
    }

    private mutating func begin(_ name: String, _ xml: inout XMLReader, _ contents: inout MapContents) {
        text = nil
        switch name {
        case "wpt" where xml.open.count == 2, "trk", "rte":
            var new = MapFeature()
            new.line = xml.input.line
            new.range = xml.tagOffset..<xml.tagOffset
            if name == "wpt" { addPoint(xml, to: &new.points, new.line, &contents) }
            feature = new
        case "trkseg": feature?.track.beginPart()
        case "trkpt", "rtept":
            if let point = Coordinates(latitude: xml.attribute("lat"), longitude: xml.attribute("lon")) {
                feature?.track.add(point)
            } else {
                contents.warnOfPosition(at: xml.input.line)
            }
        case "link": link = (xml.attribute("href") ?? "", "")
        case "name", "desc", "cmt", "type", "sym", "src", "time", "url", "text": text = []
        default: break
        }
    }

    private func addPoint(
        _ xml: XMLReader, to points: inout [Coordinates], _ line: Int, _ contents: inout MapContents
    ) {
        guard let point = Coordinates(latitude: xml.attribute("lat"), longitude: xml.attribute("lon")) else {
            return contents.warnOfPosition(at: line)
        }
        points.append(point)
    }

    private mutating func end(
        _ name: String, _ xml: XMLReader, _ contents: inout MapContents
    ) throws(TextFormatError) {
        let parent = xml.open.last ?? ""
        if ["wpt", "trk", "rte"].contains(name), var done = feature, name != "wpt" || xml.open.count == 1 {
            feature = nil
            done.range = done.range.lowerBound..<xml.input.offset
            return try contents.add(done)
        }
        let value = text.map { String(decoding: $0, as: UTF8.self).trimmed } ?? ""
        text = nil
        switch (parent, name) {
        case ("metadata", "name"), ("gpx", "name"): if contents.name.isEmpty { contents.name = value }
        case ("trkpt", "time"), ("rtept", "time"): feature?.track.add(time: value)
        case ("wpt", "link"), ("trk", "link"), ("rte", "link"): feature?.addLink(link.address, title: link.title)
        case ("link", "text"): link.title = value
        case ("wpt", _), ("trk", _), ("rte", _): set(name, value)
        default: break
        }
    }

    private mutating func set(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        switch name {
        case "name": feature?.name = value
        case "desc", "cmt": feature?.addNote(value)
        case "type": feature?.category = value
        case "sym" where feature?.own != nil:
            feature?.isArrival = value == TripGeography.Place.Role.arrival.rawValue
        case "sym": if feature?.category.isEmpty == true { feature?.category = value }
        case "time": feature?.start = value
        case "url": feature?.addLink(value)
        case "src":
            // Of a map that a store wrote.
            guard let own = CalendarNames.entity(value), own.kind != .trip else { return }
            feature?.own = own
            feature?.id = value
        default: break
        }
    }
}

extension [UInt8] {
    /// Appends bytes of UTF-8 as long as there are not more than so many.
    mutating func append(_ bytes: [UInt8], atMost most: Int) {
        var end = Swift.min(bytes.count, Swift.max(0, most - count))
        while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        self += bytes[..<end]
    }
}
