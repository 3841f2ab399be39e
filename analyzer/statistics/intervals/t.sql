-- Student's t at 97.5 %, right to four digits for one degree of freedom or more.
        exp(
            0.672931 + inverse_freedom * (1.210144 + inverse_freedom * (0.707649 + inverse_freedom * (
                0.168237 + inverse_freedom * (-0.318339 + inverse_freedom * 0.101482)
            )))
        )
