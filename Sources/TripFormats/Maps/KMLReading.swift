import TripStore

/// Reads KML 2.0 to 2.3 with the tracks of Google: placemarks in any folders.
struct KMLReading {
    private var feature: MapFeature?
    private var text: [UInt8]?
    /// The names of the open folders.
    private var folders: [String] = []
    private var dataName = ""
    private var coordinates: CoordinateText?

    /// Reads from behind the tag of the root.
    mutating func read(_ xml: inout XMLReader, into contents: inout MapContents) throws(TextFormatError) {
        while true {
            switch try xml.next() {
            case .finish: return
            case .text:
                text?.append(xml.text, atMost: 64 << 10)
                if var reading = coordinates {
                    reading.read(xml.text) { add($0, xml.open, &contents) }
                    coordinates = reading
                }
            case .start(let name): begin(name, &xml, &contents)
            case .end(let name): try end(name, xml, &contents)
            }
        }
    }

    private mutating func begin(_ name: String, _ xml: inout XMLReader, _ contents: inout MapContents) {
        text = nil
        let parent = xml.open.dropLast().last ?? ""
        switch name {
        case "Placemark":
            var new = MapFeature()
            new.id = xml.attribute("id") ?? ""
            new.line = xml.input.line
            new.range = xml.tagOffset..<xml.tagOffset
            new.category = folders.last { !$0.isEmpty } ?? ""
            feature = new
        case "Folder": folders.append("")
        case "NetworkLink": contents.warnings.add("a link to another map is left out", at: xml.input.line)
        case "GroundOverlay", "ScreenOverlay", "PhotoOverlay", "Tour":
            contents.warnings.add("a \(name) is left out", at: xml.input.line)
        case "LineString", "Track": feature?.track.beginPart()
        case "Polygon", "Model", "MultiPatch": feature?.hasArea = true
        case "coordinates": if parent == "Point" || parent == "LineString" { coordinates = CoordinateText() }
        case "Data", "SimpleData":
            dataName = xml.attribute("name") ?? ""
            if name == "SimpleData" { text = [] }
        case "link": if feature != nil, parent == "Placemark" { feature?.addLink(xml.attribute("href") ?? "") }
        case "name", "description", "address", "phoneNumber", "when", "begin", "end", "coord", "value": text = []
        default: break
        }
    }

    private mutating func end(
        _ name: String, _ xml: XMLReader, _ contents: inout MapContents
    ) throws(TextFormatError) {
        let parent = xml.open.last ?? ""
        let value = text.map { String(decoding: $0, as: UTF8.self).trimmed } ?? ""
        text = nil
        switch (parent, name) {
        case (_, "Placemark"):
            guard var done = feature else { return }
            feature = nil
            done.range = done.range.lowerBound..<xml.input.offset
            try contents.add(done)
        case (_, "Folder"): _ = folders.popLast()
        case ("Folder", "name"): if !folders.isEmpty { folders[folders.count - 1] = value }
        case ("Document", "name"): if contents.name.isEmpty { contents.name = value }
        case (_, "coordinates"):
            var reading = coordinates
            coordinates = nil
            reading?.finish { add($0, xml.open, &contents) }
        case ("Track", "when"): feature?.track.add(time: value)
        case ("Track", "coord"):
            add(CoordinateText.position(value.split(separator: " ").map(String.init)), xml.open, &contents)
        case ("TimeStamp", "when"), ("TimeSpan", "begin"): feature?.start = value
        case ("TimeSpan", "end"): feature?.end = value
        case ("Placemark", _), ("Data", "value"), ("SchemaData", "SimpleData"): set(name, value)
        default: break
        }
    }

    private mutating func set(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        switch name {
        case "name": feature?.name = value
        case "description": feature?.addNote(value)
        case "address": feature?.address = value
        case "phoneNumber": feature?.addNote(value)
        // Programs repeat the values in the description.
        case "value", "SimpleData": if !dataName.isEmpty { feature?.addNote(value, called: dataName) }
        default: break
        }
    }

    /// Adds a position of the element that is open; nil for one that is none.
    private mutating func add(_ position: Coordinates?, _ open: [String], _ contents: inout MapContents) {
        guard let line = feature?.line else { return }
        guard let position else { return contents.warnOfPosition(at: line) }
        if open.contains("Point") { feature?.points.append(position) } else { feature?.track.add(position) }
    }
}

/// Positions in a text of any length: longitude, latitude and perhaps an altitude, between commas; white space between two of them.
struct CoordinateText {
    private var pending: [UInt8] = []

    mutating func read(_ bytes: [UInt8], _ body: (Coordinates?) -> Void) {
        for byte in bytes {
            if byte > 0x20 {
                if pending.count < 200 { pending.append(byte) }
            } else if pending.last != UInt8(ascii: ",") {
                finish(body)
            }
        }
    }

    mutating func finish(_ body: (Coordinates?) -> Void) {
        guard !pending.isEmpty else { return }
        let parts = pending.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
        pending.removeAll(keepingCapacity: true)
        body(Self.position(parts))
    }

    static func position(_ parts: [String]) -> Coordinates? {
        guard parts.count >= 2 else { return nil }
        return Coordinates(latitude: parts[1], longitude: parts[0])
    }
}
