/// How times of ours and of the peer's grow with size, for one plot.
struct PairedSeries {
    private var ours: Series
    private var peer: Series

    init(_ plot: String, peer name: String) {
        ours = Series(plot: plot, name: "TripStore")
        peer = Series(plot: plot, name: name)
    }

    mutating func add(_ paired: Paired, size: Int) {
        ours.points.append(Series.Point(size: size, value: paired.ours.median))
        if !paired.peer.isEmpty { peer.points.append(Series.Point(size: size, value: paired.peer.median)) }
    }

    var series: [Series] { [ours, peer] }
}
