package draw

// WithStrips is the picture with these strips, whether or not they tell something of what it shows: a
// part of a run has the strips of the whole. A strip that the run has nothing of is empty.
func (p *Picture) WithStrips(kinds []Strip) *Picture {
	q := *p
	q.strips = nil
	for _, kind := range kinds {
		s := strip{kind: kind}
		for i := range p.columns {
			own := int64(0)
			for _, v := range p.columns[i].values(kind) {
				own = max(own, v)
			}
			s.values, s.most = append(s.values, own), max(s.most, own)
		}
		q.strips = append(q.strips, s)
	}
	return &q
}
