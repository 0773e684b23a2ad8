import TripStore

/// The world's coast, from Natural Earth at 1:50 million (public domain): the file that `Tools/coastline` writes, which describes its form.
enum Coastline {
    /// Units for a radian from which on the coast is too coarse: about 700 km across the picture.
    static let mostScale: Double = 3_600

    static let coasts: [[GlobePoint]] = PageText.coastline.split(separator: "\n").map { line in
        var (latitude, longitude) = (0, 0)
        let numbers = numbers(line)
        return stride(from: 0, to: numbers.count - 1, by: 2).map { index in
            latitude += numbers[index]
            longitude += numbers[index + 1]
            return GlobePoint(Coordinates(latitude: Double(latitude) / 50, longitude: Double(longitude) / 50))
        }
    }

    private static func numbers(_ line: Substring) -> [Int] {
        var (numbers, number, shift): ([Int], Int, Int) = ([], 0, 0)
        for byte in line.utf8 {
            number |= ((Int(byte) - 63) & 31) << shift
            shift += 5
            guard byte < 63 + 32 else { continue }
            numbers.append(number & 1 == 0 ? number >> 1 : ~(number >> 1))
            (number, shift) = (0, 0)
        }
        return numbers
    }
}
