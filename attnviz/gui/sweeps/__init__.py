"""Many runs of the current spec, beside the labs: the page *Sweep*, on a process of its own."""
